// A small file of each type that the media store accepts, and many files that it must refuse.

import { gzipSync } from 'node:zlib';
import type { MediaType } from '../../../src/domain/media.ts';

const latin1 = (text: string): Buffer => Buffer.from(text, 'latin1');

/** A WAV file, 8 bits and mono, with the given total size in bytes. */
export function wavOf(size: number, loudness = 0): Buffer {
  const header = Buffer.alloc(44);
  header.write('RIFF', 0, 'latin1');
  header.writeUInt32LE(size - 8, 4);
  header.write('WAVEfmt ', 8, 'latin1');
  header.writeUInt32LE(16, 16);
  header.writeUInt16LE(1, 20);
  header.writeUInt16LE(1, 22);
  header.writeUInt32LE(8_000, 24);
  header.writeUInt32LE(8_000, 28);
  header.writeUInt16LE(1, 32);
  header.writeUInt16LE(8, 34);
  header.write('data', 36, 'latin1');
  header.writeUInt32LE(size - 44, 40);
  const samples = Buffer.alloc(size - 44);
  for (let at = 0; at < samples.length; at++) samples[at] = (at * 31 + (at >> 8) * 7 + loudness) & 0xff;
  return Buffer.concat([header, samples]);
}

/** MPEG 1, layer III, 128 kbit/s at 44.1 kHz: 417 bytes. */
const mp3Frame = Buffer.concat([Buffer.from([0xff, 0xfb, 0x90, 0x00]), Buffer.alloc(413)]);
/** MPEG 2, layer III, 64 kbit/s at 22.05 kHz: 208 bytes, and one for the padding. */
const mp3FrameOfMpeg2 = Buffer.concat([Buffer.from([0xff, 0xf3, 0x82, 0x00]), Buffer.alloc(205)]);

export const samples: readonly (readonly [what: string, type: MediaType, bytes: Buffer])[] = [
  ['a WAV', 'audio/wav', wavOf(1_000)],
  ['an MP3 with a tag', 'audio/mpeg', Buffer.concat([latin1('ID3\x04\0\0\0\0\0\x0a'), Buffer.alloc(10), mp3Frame])],
  ['an MP3 without', 'audio/mpeg', Buffer.concat([mp3Frame, mp3Frame])],
  ['an MP3 of MPEG 2', 'audio/mpeg', Buffer.concat([mp3FrameOfMpeg2, mp3FrameOfMpeg2])],
  ['an OGG', 'audio/ogg', latin1('OggS\0\x02\0\0\0\0\0\0\0\0\x01\0\0\0\0\0\0\0\0\0\0\0\x01\x13OpusHead')],
  ['a FLAC', 'audio/flac', latin1(`fLaC\x80\0\0\x22${'\0'.repeat(34)}`)],
  ['a PNG', 'image/png', latin1('\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01\0\0\0\x01\x08\x06\0\0\0')],
  ['a JPEG', 'image/jpeg', latin1('\xff\xd8\xff\xe0\0\x10JFIF\0\x01\x01\0\0\x01\0\x01\0\0\xff\xd9')],
  ['a GIF', 'image/gif', latin1('GIF89a\x01\0\x01\0\0\0\0,\0\0\0\0\x01\0\x01\0\0\x02\0;')],
  ['a WebP', 'image/webp', latin1('RIFF\x1a\0\0\0WEBPVP8L\x0d\0\0\0\x2f\0\0\0\x10\x07\x10\x11\x11\x88\x88\xfe\x07\0')],
  ['a PDF', 'application/pdf', latin1('%PDF-1.7\n%\xe2\xe3\xcf\xd3\n1 0 obj\n<<>>\nendobj\n%%EOF\n')],
  ['a PDF in ASCII', 'application/pdf', latin1('%PDF-1.4\n1 0 obj\n<<>>\nendobj\n%%EOF\n')],
  ['a text', 'text/plain', Buffer.from('Pump 7: close valve ③ first.\r\n\tThen call Zoë.\n')],
  ['a text with a byte order mark', 'text/plain', Buffer.from('\ufeffa < b')],
  ['one letter', 'text/plain', Buffer.from('a')],
];

const zipEnd = latin1(`PK\x05\x06${'\0'.repeat(18)}`);
const [, , png] = samples[6]!;
const utf16 = (text: string): Buffer => Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(text, 'utf16le')]);

export const refused: readonly (readonly [what: string, bytes: Buffer])[] = [
  ['an SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>')],
  ['an SVG after white space', Buffer.from(' \t\r\n<?xml version="1.0"?><svg/>')],
  ['HTML after a byte order mark', Buffer.from('\ufeff \ufeff<!doctype html><script>alert(1)</script>')],
  ['HTML in a comment', Buffer.from('<!-- harmless --><html>')],
  ['HTML in UTF-16', utf16('<html>')],
  ['text in UTF-16', utf16('text')],
  ['text in Latin 1', latin1('Zo\xeb')],
  ['overlong UTF-8', latin1('\xc0\xbcscript\xc0\xbe')],
  ['a surrogate in UTF-8', latin1('\xed\xa0\x80')],
  ['text with NUL', Buffer.from('a\0b')],
  ['text with an escape', Buffer.from('a\x1b[2Jb')],
  ['text with a C1 control', Buffer.from('a\u009b2Jb')],
  ['a shell script', Buffer.from('#!/bin/sh\nrm -rf /\n')],
  ['PostScript', Buffer.from('%!PS-Adobe-3.0\n')],
  ['RTF', Buffer.from('{\\rtf1\\ansi}')],
  ['a ZIP', Buffer.concat([latin1('PK\x03\x04\x14\0'), Buffer.alloc(40), zipEnd])],
  ['an empty ZIP', zipEnd],
  ['a ZIP behind a PNG', Buffer.concat([png, latin1('PK\x03\x04'), Buffer.alloc(40), zipEnd, latin1('comment')])],
  ['a ZIP behind a PDF', Buffer.concat([latin1('%PDF-1.7\n'), zipEnd])],
  ['a PDF behind a PNG header', Buffer.concat([png, latin1('%PDF-1.7\n')])],
  ['a PDF behind text', Buffer.from('hello\n%PDF-1.7\n')],
  ['a script that begins as a GIF', Buffer.from('GIF89a=1;alert(document.cookie)')],
  ['a script that begins as a WAV', Buffer.from('RIFF=1/*WAVE*/;alert(1)')],
  ['a Windows program', Buffer.concat([latin1('MZ\x90\0\x03\0\0\0'), Buffer.alloc(60)])],
  ['a Linux program', latin1('\x7fELF\x02\x01\x01\0')],
  ['a Java class', latin1('\xca\xfe\xba\xbe\0\0\0\x34')],
  ['WebAssembly', latin1('\0asm\x01\0\0\0')],
  ['gzip', gzipSync('text')],
  ['an AVI', latin1('RIFF\0\0\0\0AVI LIST')],
  ['a TIFF', latin1('II*\0\x08\0\0\0')],
  ['a BMP', latin1('BM\x1a\0\0\0\0\0\0\0')],
  ['an icon', latin1('\0\0\x01\0\x01\0')],
  ['an MP4', latin1('\0\0\0\x18ftypmp42')],
  ['Flash', latin1('CWS\x0a\0\0\0\0')],
  ['an Office document', latin1('\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1')],
  ['a PNG cut short', png.subarray(0, 12)],
  ['half an MP3 frame', mp3Frame.subarray(0, 300)],
  ['an MP3 frame and noise', Buffer.concat([mp3Frame, Buffer.alloc(50, 0x55)])],
  ['a frame of layer I', Buffer.concat([Buffer.from([0xff, 0xff, 0x90, 0]), Buffer.alloc(413), mp3Frame])],
  ['a frame of a reserved version', Buffer.concat([Buffer.from([0xff, 0xeb, 0x90, 0]), Buffer.alloc(413), mp3Frame])],
  ['a frame of a reserved bit rate', Buffer.concat([Buffer.from([0xff, 0xfb, 0xf0, 0]), Buffer.alloc(413), mp3Frame])],
  [
    'a frame of a reserved sample rate',
    Buffer.concat([Buffer.from([0xff, 0xfb, 0x9c, 0]), Buffer.alloc(413), mp3Frame]),
  ],
  ['an ID3 tag of an impossible size', Buffer.concat([latin1('ID3\x04\0\0\xff\0\0\0'), Buffer.alloc(20)])],
  ['an ID3 tag of version 9', Buffer.concat([latin1('ID3\x09\0\0\0\0\0\0'), Buffer.alloc(20)])],
];
