"""sudare (簾): answer, publish, join, synthesize and share data about people, with a guarantee."""
