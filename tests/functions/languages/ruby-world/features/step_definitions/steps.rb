When('I shut the lid') { shut(@lid) }
When('I seal the lid') do
  # tightly
  seal @lid
end
When('I slam the lid') { slam(@lid) }
When('I lift the lid') { @lid.lift }
When('I lift the lid and say so') do
  @lid.lift
  print 'lifted'
  puts 'lifted'
end
When('I lift the lid and note it') do
  @lid.lift
  log 'lifted'
end
When('I lift the lid and say where') do
  place = @shelf
  told = "at #{place}"
  puts told
  @lid.lift
end
When('I lift the lid and note where') do
  place = @shelf
  log place
  @lid.lift
end
When('I lift the lid and say what it weighs') do
  weight = weigh(@lid)
  puts weight
  @lid.lift
end
