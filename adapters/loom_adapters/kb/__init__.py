"""Knowledge bases in a folder: the manifest, and the files that it names."""
