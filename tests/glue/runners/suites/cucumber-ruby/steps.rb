COLOURS = 'red|amber'

Given 'the machine is on' do
end

Given(/^(\d+) apples and (\d+) pears are in it$/) do |apples, pears|
end

Given(/^"(.*)" has (\d+) €$/) { |who, money| }

When(/^"([^"]*)" takes (\d+) apples?$/) do |who, n|
end

Then(/^the lamp is (#{COLOURS})$/) do |shade|
end

Then(/\Athe price is (\d+\.\d+) \(net\)\z/) { |price| }

When(/^the door (opens|shuts)/) { |does| }
When(/^the door opens (\w+)$/) { |how| }

Then %r{^the note (?:says|reads) (hello|bye)$}i do |words|
end

Given(/^the bell (?<does>rings)$/) { |does| }

Given(/^these coins:$/) { |table| }
Given('this note') { |text| }
Then(/lost/) {}
