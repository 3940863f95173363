-- wrk's script: alarms of 20,000 tags in turn, each raised anew. The token comes from the environment.
local count = 0
wrk.method = "POST"
wrk.headers["Content-Type"] = "application/json"
wrk.headers["Authorization"] = "Bearer " .. (os.getenv("TOKEN") or "")
request = function()
  count = count + 1
  local tag = (count * 7919) % 20000
  local body = string.format(
    '{"path":"Plant/Area%d/Pump%d","value":"%d","raised":true,"priority":2,"alarmMessage":"Pump %d is too hot, look at its bearing","resetMessage":"Pump %d has cooled down","eventCondition":{"value":">=80","reactivatable":true},"alarmActions":[{"type":"CallGroup","id":7}]}',
    tag % 50, tag, 80 + count % 20, tag, tag)
  return wrk.format(nil, nil, nil, body)
end
