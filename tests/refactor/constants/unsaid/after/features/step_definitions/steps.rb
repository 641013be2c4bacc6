def sort_books_by(count, value)
  @shelf.open(count)
  @shelf.sort(count, value)
end

When(/^I sort (\d+) books by title$/) do |count|
  sort_books_by(count, :title)
end

When(/^I sort (\d+) books by price$/) do |number|
  sort_books_by(number, :price)
end

When('I close the shop') { @shop.close }
