step 'I open the :page page' do |page|
  @calls = [page]
end

step 'I fill in :count names like :name' do |count, name|
  @calls += [name] * count.to_i
end

step 'I press the button' do
  @calls << 'press'
end

step 'I :act' do |act|
  @calls << act
end

step 'all is done' do
  puts "CALLS #{@calls}"
end

step 'I am logged in :count times as :name' do |count, name|
  step "I open the \"it's a login\" page"
  step "I fill in #{count} names like \"#{name}\""
  step 'I press the button'
end
