// Generates the script that gives pages `$.connection.<hub>` from the definitions of the hubs.

import type { HubDefinition } from '../hub.ts';

/** The script needs jQuery and `jquery.signalR.js` before it. It avoids syntax that old browsers cannot parse. */
export function proxyScript(url: string, hubs: readonly HubDefinition[]): string {
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

  function handlerOf(proxy, name) {
    return function () {
      // Looked up when it is called, so that a page may put another function in its place.
      if (typeof proxy.client[name] === "function") { proxy.client[name].apply(proxy, arguments); }
    };
  }

  $.hubConnection.prototype.createHubProxies = function () {
    var proxies = {}, heard = [];

    // With every start again, because a page may remove its handlers with off() and still expects to be called at what
    // it put into client.
    function listen() {
      $.each(heard, function (index, one) { one.proxy.off(one.name, one.handler); });
      heard = [];
      $.each(proxies, function (key, proxy) {
        $.each(proxy.client, function (name, value) {
          if (typeof value !== "function") { return; }
          var handler = handlerOf(proxy, name);
          heard.push({ proxy: proxy, name: name, handler: handler });
          proxy.on(name, handler);
        });
      });
    }

    // Before the connection collects the hubs that somebody listens to.
    this.starting(listen);
${hubs.map(proxyOf).join('\n')}
    return proxies;
  };

  $.signalR.hub = $.hubConnection(${quote(url)}, { useDefaultPath: false });
  $.extend($.signalR, $.signalR.hub.createHubProxies());
}(window.jQuery));
`;
}

function proxyOf({ name, methods = {} }: HubDefinition): string {
  const proxy = `proxies[${quote(name)}]`;
  const server = Object.keys(methods).map((method) => `      ${quote(method)}: caller(${proxy}, ${quote(method)})`);
  return `    ${proxy} = this.createHubProxy(${quote(name)});
    ${proxy}.client = {};
    ${proxy}.server = {
${server.join(',\n')}
    };`;
}

/** Quotes as the original does, `proxies['alarmHub']`, and escapes every character that could end the string. */
function quote(text: string): string {
  const escaped = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return `'${text.replace(/[^\w/.~-]/g, escaped)}'`;
}
