import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import fc from 'fast-check'
import { anyCharacter } from '../../../test/helpers/random-characters.ts'
import { startApp } from '../test/start-app.ts'

const hostile = [
  ...['', ' ', '  \t\n ', 'a', 'A'.repeat(64), 'A'.repeat(65), `${'é'.repeat(64)}x`, 'ﷺ'.repeat(40), '😀'.repeat(65)],
  ...[
    '\u0301',
    'Jose\u0301',
    'İstanbul',
    'ΝΙΚΟΣ',
    'Straße',
    '\u00a0x\u2003y\u3000z',
    '<>()",;',
    `O'Neil \\ "x"`,
    '::*&|!',
  ],
  ...['a.b-c_d+e', '...', 'one one ONE', '00000000-0000-0000-0000-000000000000', '\u200b\ufeff', 'ﬁne ①'],
]

/** Migration 0010 replaces a function on which a stored column and an index of 0008 depend, and rewrites neither. */
test('the words of migration 0010 are those of 0008, so that what was stored before is right', async () => {
  const { pool } = await startApp()
  const text = await readFile(new URL('0008-contacts.sql', import.meta.url), 'utf8')
  const [statement] = text.slice(text.indexOf('create function')).split(/;\n\n/)
  assert.ok(statement)
  await pool.query(statement.replace('person_words', 'former_words'))
  const names = [...hostile, ...fc.sample(fc.string({ unit: anyCharacter, maxLength: 140 }), 2_000)].map((name) =>
    name.replaceAll('\0', ''),
  )
  const keys = [...hostile, ...names.slice(hostile.length)].toReversed()
  const { rows } = await pool.query(
    `select name, key from unnest($1::text[], $2::text[]) as one (name, key), gen_random_uuid() as id
      where coalesce(former_words(id, name, key), '') is distinct from person_words(id, name, key)`,
    [names, keys],
  )
  assert.deepEqual(rows, [])
})
