import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readAssessment, toCsaf, toOpenvex } from './write-advisories.ts'

/* The forms that the specifications require: OpenVEX 0.2.0, and CSAF 2.0 with its profile VEX (4.5). */

const advised = { version: '1.2.3', ...(await readAssessment()) }
const cveForm = /^CVE-\d{4}-\d{4,}$/
const timeForm = /^\d{4}-\d{2}-\d{2}T00:00:00Z$/

test('the assessment names each vulnerability once, with a reason', () => {
  const { groups } = advised.assessment
  const names = groups.flatMap(({ vulnerabilities }) => vulnerabilities)
  assert.ok(names.length > 30)
  assert.equal(new Set(names).size, names.length)
  for (const name of names) assert.match(name, cveForm)
  for (const { impact } of groups) assert.match(impact, /^The .+\.$/)
})

test('OpenVEX: each statement has a vulnerability, the product with its part, and a reason', () => {
  const document = toOpenvex(advised)
  assert.equal(document['@context'], 'https://openvex.dev/ns/v0.2.0')
  assert.match(document.timestamp, timeForm)
  assert.ok(URL.canParse(document['@id']))
  for (const { vulnerability, products, status, justification, impact_statement } of document.statements) {
    assert.match(vulnerability.name, cveForm)
    const [product, ...others] = products
    assert.deepEqual([product?.['@id'], others], ['pkg:npm/parley@1.2.3', []])
    assert.ok(
      product?.subcomponents.some(
        (one) => one['@id'] === `pkg:npm/%40embedded-postgres/linux-x64@${advised.packageVersion}`,
      ),
    )
    assert.deepEqual([status, justification], ['not_affected', 'vulnerable_code_not_in_execute_path'])
    assert.ok(impact_statement.length > 40)
  }
})

test('CSAF: each product that is named is defined, and each status has its impact', () => {
  const { document, product_tree, vulnerabilities } = toCsaf(advised)
  assert.deepEqual([document.category, document.csaf_version], ['csaf_vex', '2.0'])
  const { tracking, publisher } = document
  assert.equal(tracking.revision_history.at(-1)?.number, tracking.version)
  for (const time of [tracking.initial_release_date, tracking.current_release_date]) assert.match(time, timeForm)
  assert.ok(URL.canParse(publisher.namespace))
  // 6.1.1 and 6.1.2: each product id is defined once.
  const defined = product_tree.branches.flatMap(({ branches }) => branches.map(({ product }) => product.product_id))
  const combined = product_tree.relationships.map(({ full_product_name }) => full_product_name.product_id)
  const all = [...defined, ...combined]
  assert.equal(new Set(all).size, all.length)
  for (const { product_reference, relates_to_product_reference } of product_tree.relationships) {
    assert.ok(defined.includes(product_reference) && defined.includes(relates_to_product_reference))
  }
  for (const { cve, notes, product_status, flags, threats } of vulnerabilities) {
    assert.match(cve, cveForm)
    assert.ok(notes.length > 0)
    assert.ok(product_status.known_not_affected.every((id) => all.includes(id)))
    // 6.1.27.9: what is not affected has an impact.
    assert.deepEqual(threats[0]?.product_ids, product_status.known_not_affected)
    assert.deepEqual(flags[0]?.product_ids, product_status.known_not_affected)
  }
  assert.equal(vulnerabilities.length, toOpenvex(advised).statements.length)
})
