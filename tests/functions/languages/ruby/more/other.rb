Given('the basket holds {int} books') do |n|
  @basket.fill(n)
end
