"""Arguments in, one `publish` call, text or JSON out."""
