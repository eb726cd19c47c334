def in_english(text: str) -> str:
    return text
