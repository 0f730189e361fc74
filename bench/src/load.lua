-- Sends the requests of a file in turn. They are whole and apart by NUL, so that nothing is put together under load.
local requests = {}
local asked = 0

function init(args)
  for whole in io.open(args[1], 'rb'):read('*a'):gmatch('%Z+') do table.insert(requests, whole) end
end

function request()
  asked = asked + 1
  return requests[(asked - 1) % #requests + 1]
end
