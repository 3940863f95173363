// Generates the script that gives pages `$.connection.<hub>` from the definition of the hub.

import type { HubDefinition } from '../hub.ts';

/** The script needs jQuery and `jquery.signalR.js` before it. It avoids syntax that old browsers cannot parse. */
export function proxyScript(url: string, { name, methods = {} }: HubDefinition): string {
  const proxy = `proxies[${quote(name)}]`;
  const server = Object.keys(methods).map((method) => `      ${quote(method)}: caller(${proxy}, ${quote(method)})`);
  return `/* What this server offers to SignalR clients of the jQuery generation. */
(function ($) {
  "use strict";
  if (typeof $ !== "function" || typeof $.hubConnection !== "function") {
    throw new Error("SignalR: load jquery.signalR before this script.");
  }

  function caller(proxy, method) {
    return function () {
      return proxy.invoke.apply(proxy, [method].concat($.makeArray(arguments)));
    };
  }

  function listen(proxy, heard) {
    $.each(proxy.client, function (name, handler) {
      if (typeof handler !== "function" || heard[name] === true) { return; }
      heard[name] = true;
      proxy.on(name, function () {
        // Looked up when it is called, so that a page may put another function in its place.
        if (typeof proxy.client[name] === "function") { proxy.client[name].apply(proxy, arguments); }
      });
    });
  }

  $.hubConnection.prototype.createHubProxies = function () {
    var proxies = {}, heard = {};
    // Before the connection collects the hubs that somebody listens to.
    this.starting(function () { listen(${proxy}, heard); });
    ${proxy} = this.createHubProxy(${quote(name)});
    ${proxy}.client = {};
    ${proxy}.server = {
${server.join(',\n')}
    };
    return proxies;
  };

  $.signalR.hub = $.hubConnection(${quote(url)}, { useDefaultPath: false });
  $.extend($.signalR, $.signalR.hub.createHubProxies());
}(window.jQuery));
`;
}

/** Quotes as the original does, `proxies['alarmHub']`, and escapes every character that could end the string. */
function quote(text: string): string {
  const escaped = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return `'${text.replace(/[^\w/.~-]/g, escaped)}'`;
}
