module Doors
  def shut(name)
    slide(name)
  end

  def seal(lid)
    slide(lid)
  end

  def slam(name)
    slide(name)
    name.shake
  end

  def slide(bolt)
    bolt.move(1)
  end

  def log(text)
    @journal.write(text)
  end

  def print(text)
    puts text
  end
end

class Window
  def shut(name)
    name.pull
  end
end

World(Doors)
