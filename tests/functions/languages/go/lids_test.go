package shop

func wrap(count int) error { return paper.Wrap(count) }

func pack(books int) error { return paper.Wrap(books) }

func drop(count int) error { return paper.Drop(count) }

func (s *shop) wind() error { return s.clock.Wind(7) }

func (s *shop) windUp() error { return s.clock.Wind(7) }

func (s *shop) log(text string) error { return s.journal.Write(text) }
