"""What a person is told, whatever room found it: findings with their places, their sentences, and how loudly."""
