When(/^I sort (\d+) books by (title|price)$/) do |count, text|
  @shelf.sort(count, text)
end

When('I close the shop') { @shop.close }
