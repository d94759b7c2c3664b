"""The networks that come with the package, as files; their cards say how they were made."""
