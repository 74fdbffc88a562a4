"""The sphere's steps drawn in three ways with one law."""
