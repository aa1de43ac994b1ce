"""Lead parts: which card opens a trick."""
