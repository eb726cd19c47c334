"""From hosts to page addresses: robots.txt, sitemaps and feeds, read politely and resumed where they stopped."""
