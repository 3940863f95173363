-- wrk's script: raises alarms of 20,000 tags in turn, each request with its own idempotency key. TOKEN, RUN and BATCH
-- (alarms per request; 1 sends single alarms) come from the environment. The action lets user 1 see the alarm and calls
-- nobody: calls.ts measures the cost of calling.
local count = 0
local requests = 0
local run = os.getenv("RUN") or "1"
local batch = tonumber(os.getenv("BATCH") or "1")
wrk.method = "POST"
wrk.headers["Content-Type"] = "application/json"
wrk.headers["Authorization"] = "Bearer " .. (os.getenv("TOKEN") or "")
local function alarm()
  count = count + 1
  local tag = (count * 7919) % 20000
  return string.format(
    '{"path":"Plant/Area%d/Pump%d","value":"%d","raised":true,"priority":2,"alarmMessage":"Pump %d is too hot, look at its bearing","resetMessage":"Pump %d has cooled down","eventCondition":{"value":">=80","reactivatable":true},"alarmActions":[{"type":"CallUser","id":1,"flags":2}]}',
    tag % 50, tag, 80 + count % 20, tag, tag)
end
request = function()
  if batch > 1 then
    local alarms = {}
    for n = 1, batch do alarms[n] = alarm() end
    return wrk.format(nil, nil, nil, "[" .. table.concat(alarms, ",") .. "]")
  end
  requests = requests + 1
  wrk.headers["Idempotency-Key"] = run .. "-" .. requests
  return wrk.format(nil, nil, nil, alarm())
end
