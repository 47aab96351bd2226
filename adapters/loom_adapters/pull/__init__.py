"""Generations from a static web server, into a folder of generations.

    site      what the server has: the pointer, manifests, files; every answer bounded, resumed where it broke off
    landing   where files arrive: beside the generations, kept when a pull is interrupted, made visible in one rename
    puller    one pull: what is current there is whole here, or nothing has changed

Nothing that a server says is believed: the id is the digest of the manifest, which states the digest of every file.
"""
