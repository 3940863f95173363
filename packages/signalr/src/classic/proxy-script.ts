// Generates the script that gives pages `$.connection.<hub>` from the definitions of the hubs.

import type { HubDefinition } from '../hub.ts';

/** The script needs jQuery and `jquery.signalR.js` before it. It avoids syntax that old browsers cannot parse. */
export function proxyScript(url: string, hubs: readonly HubDefinition[]): string {
  return `/* The hubs of this server, for pages that use jQuery and jquery.signalR. */
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
      // The function is looked up at each call, so that a page may replace it.
      if (typeof proxy.client[name] === "function") { proxy.client[name].apply(proxy, arguments); }
    };
  }

  $.hubConnection.prototype.createHubProxies = function () {
    var proxies = {}, heard = [];

    // Registers the functions in client again at every start: a page may have removed them with off(), and expects
    // them to be called after a restart.
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

    // Runs before the connection collects the hubs that the page listens to.
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
