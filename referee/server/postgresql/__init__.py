"""Django's backend for PostgreSQL (`base`), with connections that do not wait for a database known to be away."""
