"""The lab: instruments that find out what an uplift is made of.

They read the serving path by import and never re-implement it: blocks come from `answer.pipeline.prepare`, names are matched by
`core.exposure`. Nothing here names a concrete model, store or generation; the command line hands them in.
"""
