-- One request after the other, each for the next path of a file. Arguments: the file, then headers.
local paths, headers = {}, {}
local asked = 0

function init(args)
  for line in io.lines(args[1]) do table.insert(paths, line) end
  for index = 2, #args do
    local name, value = args[index]:match('^(.-): (.*)$')
    headers[name] = value
  end
end

function request()
  asked = asked + 1
  return wrk.format('GET', paths[(asked - 1) % #paths + 1], headers)
end
