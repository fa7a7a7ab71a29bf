"""The experiments that the paper of Yokoyama et al. does not have.

One module per question: ``misses`` (where do its rules fail?), ``tuning`` (what do
threshold and range change?), ``looked_at`` (how much is examined?), ``cost`` (what
does a deformation cost, beside trees of boxes?).  Each gives rows for one CSV file.
"""
