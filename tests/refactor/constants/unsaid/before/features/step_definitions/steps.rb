When(/^I sort (\d+) books by title$/) do |count|
  @shelf.open(count)
  @shelf.sort(count, :title)
end

When(/^I sort (\d+) books by price$/) do |number|
  @shelf.open(number)
  @shelf.sort(number, :price)
end

When('I close the shop') { @shop.close }
