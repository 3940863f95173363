// The public interface of the package; every other file is internal.

export { parseUri, printUri, type SipUri } from './message/uri.ts';
