"""Reproducible draw of racks, and the acts of judges that changed a rack."""
