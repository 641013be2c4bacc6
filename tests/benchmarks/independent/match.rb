# One request a line: {"patterns": [[source, flags], ...], "texts": [...]} -> [[pattern, text, [groups]], ...]
require "json"

$stdout.sync = true
STDIN.each_line do |line|
  asked = JSON.parse(line)
  found = []
  asked["patterns"].each_with_index do |(source, flags), number|
    options = { "i" => Regexp::IGNORECASE, "x" => Regexp::EXTENDED, "m" => Regexp::MULTILINE }
    pattern = begin
      Regexp.new(source, flags.each_char.sum { |one| options.fetch(one, 0) })
    rescue RegexpError
      found << [number, -1, []]
      next
    end
    asked["texts"].each_with_index do |text, at|
      match = pattern.match(text)
      found << [number, at, match.captures] if match
    end
  end
  puts JSON.generate(found)
end
