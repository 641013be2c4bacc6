"""The stages on Ray, with the results of the local engine. Ray's usage statistics are off."""
