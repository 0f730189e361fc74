-- One request after the other, each for the next intent of a range.
-- Arguments: method, path, body, first number, count, file of browsers, then headers.
local method, path, body, first, count
local headers, browsers = {}, {}
local asked = 0

function init(args)
  method, path, body = args[1], args[2], args[3]
  first, count = tonumber(args[4]), tonumber(args[5])
  if args[6] ~= '' then
    for line in io.lines(args[6]) do
      local cookie, csrf = line:match('^(.-)\t(.*)$')
      table.insert(browsers, { cookie = cookie, csrf = csrf })
    end
  end
  for index = 7, #args do
    local name, value = args[index]:match('^(.-): (.*)$')
    headers[name] = value
  end
  if body == '' then body = nil end
end

function request()
  local number = first + asked % count
  asked = asked + 1
  if #browsers > 0 then
    local browser = browsers[number % #browsers + 1]
    headers['Cookie'], headers['X-CSRF-Token'] = browser.cookie, browser.csrf
  end
  return wrk.format(method, (path:gsub('{token}', string.format('%043d', number))), headers, body)
end
