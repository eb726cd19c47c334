"""Open-ended protocol (DiffSpot): the model lists what it sees, a judge compares the list with the record.

Belongs here: the question, the judges and the verdict rows. Does not belong here: metrics over verdicts.
"""
