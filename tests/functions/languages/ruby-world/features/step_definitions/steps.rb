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
