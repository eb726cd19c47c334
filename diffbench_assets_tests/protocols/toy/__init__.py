"""A protocol made of one folder, which no module of the package knows: how much changed, asked in both orders."""
