# frozen_string_literal: true

Before do
  @shelf = {}
  @readers = Hash.new { |readers, name| readers[name] = [] }
end

Given(/^the library owns (\d+) copies of "([^"]*)"$/) do |count, book|
  @shelf[book] = count.to_i
end

Given(/^"([^"]*)" borrows "([^"]*)"$/) do |reader, book|
  @shelf[book] -= 1
  @readers[reader] << book
end

Given(%r{^"([^"]*)" takes "([^"]*)" home$}) do |reader, book|
  @shelf[book] -= 1
  @readers[reader] << book
end

When(%r!^"([^"]*)" returns "([^"]*)"$!) do |reader, book|
  @shelf[book] += 1
  @readers[reader].delete(book)
end

Then(/^(?<count>\d+) copies of "(?<book>[^"]*)" are on the shelf$/i) do |count, book|
  raise "#{@shelf[book]} copies" unless @shelf[book] == count.to_i
end

Then(/^"([^"]*)" has (\d+) books?$/) do |reader, count|
  raise "#{@readers[reader].size} books" unless @readers[reader].size == count.to_i
end
