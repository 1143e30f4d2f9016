# The tables are for compiled modules.
