Given(/^a basket with (\d+) books$/) do |count|
  @basket.fill(count)
end

Given(/^(\d+) books in the basket$/) do |books| # so many
  puts "filled"
  @basket.fill books
end

Given(/^an other basket with (\d+) books$/) do |count|
  @other.fill(count)
end

When('I press go') { click_on 'Go' }

When('I press stop') { click_on "Stop" }

When('I go ahead') do
  click_on('Go')
end

When('I send {string} to {string}') do |text, name|
  fill_in :message, with: text
  fill_in :name, with: name
end

When('to {string} I send {string}') do |name, text|
  fill_in :message, with: text
  fill_in :name, with: name
end

When(/^I log in$/) do
  step 'I press go'
end

When(/^I log in as "(.*)"$/) do |name|
  step "I fill in #{name}"
end

When(/^I fill in (\w+)$/) do |name|
  fill_in 'Name', with: name
end

When(/^I enter (\w+) and go$/) do |name|
  steps %{
    When I fill in #{name}
    And I press go
  }
end

When(/^I type (\w+) and go$/) do |who|
  fill_in 'Name', with: who
  click_on 'Go'
end

Then('all is well') do
  books = shelf.books
  expect(books.first.title).to eq 'Emma'
end

Then('all is very well') do
  found = shelf.books
  expect(found.first.title).to eq 'Emma'
  expect(found.size).to eq 2
end

Then('it is pending') { pending }

def in_part(selector)
  selector ? within(selector) { yield } : yield
end

When(/^I press "(.*)" in "(.*)"$/) do |button, part|
  in_part(part) { click_button(button) }
end

When(/^I click "(.*)" in "(.*)"$/) do |button, part|
  in_part(part) do
    click_button(button)
  end
end

When(/^I check "(.*)" in "(.*)"$/) do |box, part|
  in_part(part) { check(box) }
end

When(/^I lay (.*)$/) do |what|
  shelf.put(what)
end

When(/^I lay down a note of (\w+)$/) do |name|
  step "I lay #{name}'s note"
end

When(/^I lay down the note of (\w+)$/) do |who|
  shelf.put("#{who}'s note")
end

When('I lay down my note') do
  step "I lay #{OWNER}'s note"
end

When(/^I name (\w+) before (\w+)$/) do |one, other|
  steps %{
    When I fill in #{one}
    And I fill in #{other}
  }
end

When(/^I name (\w+) and then (\w+)$/) do |one, other|
  fill_in 'Name', with: one
  fill_in 'Name', with: other
end

When(/^I name (\w+) twice, not (\w+)$/) do |one, other|
  fill_in 'Name', with: one
  fill_in 'Name', with: one
end
