import { expect, test } from 'vitest'
import { fileUploadSchema } from '../config/fileSettings.ts'
import { chooseType } from './chooseType.ts'

const choose = (fileExtensions: string[], name: string, judged = 'text/plain') =>
  chooseType(fileUploadSchema.parse({ fileExtensions }), false, { name, type: undefined }, judged)

test.each([
  [['gpx'], 'track.gpx', true],
  [['GPX'], 'track.gpx', true],
  [['gpx'], 'track.gpxx', false],
  [['*'], 'track.anything', true],
  // The default of older servers: everything but pages.
  [['^(?![xXsS]?[hH][tT][mM][lL]?$)'], 'track.gpx', true],
  [['^(?![xXsS]?[hH][tT][mM][lL]?$)'], 'page.xhtml', false],
  [['^(jpg|gpx)$'], 'track.gpx', true],
  [['^(jpg|gpx)$'], 'track.gpxx', false],
])('fileExtensions %j: %s', (fileExtensions, name, allowed) => {
  if (allowed) expect(choose(fileExtensions, name).name).toBe(name)
  else expect(() => choose(fileExtensions, name)).toThrow(/extension .* is disabled/)
})

test('still judges the file by its content', () => {
  expect(() => choose(['*'], 'page.html', 'text/html')).toThrow('File upload of type text/html is disabled.')
})

test('rejects an invalid pattern at the start', () => {
  expect(fileUploadSchema.safeParse({ fileExtensions: ['(['] }).success).toBe(false)
  expect(fileUploadSchema.safeParse({ fileExtensions: ['x'.repeat(201)] }).success).toBe(false)
})
