# frozen_string_literal: true

LID = 'the lid is {state}'
STATES = /open|shut/i

ParameterType(
  name: 'state',
  regexp: [/open/, /half-open/],
  transformer: ->(text) { text }
)
ParameterType(name: 'count', regexp: build_it)

Given 'the machine is ready' do
  step 'nothing is defined by a call without a block'
end

Angenommen('there are {int} apples') { |count| count }

When %r{^"([^"]*)" takes (\d+) of them$} do |who, count|
end

Then(/^it holds (\d+) apples?$/) do |count|
end

Then(/^the sign is (red|amber)$/i, :check_sign)

But "it costs {int} \u20ac \\(net)" do |price|
end

Then(LID) { |state| }

Then 'the lid ' \
  'is {state} now' do |state|
end

Then(/^the lid was #{STATES}$/) {}

Then(/^the lid was #{something}$/) {}

object.Given('a call on another object') {}

# "a" is a keyword of Luxembourgish, and an element of Arbre
a "The shop", href: "https://shop.example"
