"""Embedded comparators: what answers without a model are made from.

Belongs here: measuring pixels, and chance that a call alone decides. Does not belong here: answering any protocol's
question (`protocols/NAME/baselines/`), the record, the answer key, judges, endpoints.
"""
