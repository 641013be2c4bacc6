package doors

func Shut(name string) error { return slide(name) }

func Seal(lid string) error { return slide(lid) }

func Slam(name string) error { return throw(name, 2) }

func slide(bolt string) error { return bolts.Move(bolt, 1) }

func throw(bolt string, times int) error { return bolts.Move(bolt, times) }
