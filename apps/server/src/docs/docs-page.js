/** What a page of the documentation can do beyond being read: search all pages, and copy a block of code. */
import { createDocSearch } from './docs-search.js'

const form = document.querySelector('form[role=search]')
const field = form.querySelector('input')
const results = document.getElementById('results')
const status = form.querySelector('[role=status]')

/** The search, once the reader has begun to look for something. */
let search
const loadSearch = () => {
  search ??= load().catch((error) => {
    search = undefined
    throw error
  })
  return search
}

async function load() {
  const [{ default: MiniSearch }, response] = await Promise.all([import('./minisearch.js'), fetch('/docs/search.json')])
  if (!response.ok) throw new Error(`The index of the search could not be fetched: ${response.status}`)
  return createDocSearch(MiniSearch, await response.json())
}

async function showResults() {
  const words = field.value.trim()
  if (words === '') return hideResults('')
  try {
    const find = await loadSearch()
    if (words !== field.value.trim()) return
    const found = find(words)
    results.replaceChildren(...found.map(resultItem))
    results.hidden = found.length === 0
    status.textContent =
      found.length === 0 ? `Nothing matches “${words}”.` : found.length === 1 ? '1 result' : `${found.length} results`
  } catch {
    hideResults('The search could not be loaded. Check your connection, and type again.')
  }
}

function hideResults(message) {
  results.hidden = true
  results.replaceChildren()
  status.textContent = message
}

function resultItem({ path, page, heading, excerpt }) {
  const item = document.createElement('li')
  const link = document.createElement('a')
  link.href = path
  const title = document.createElement('b')
  title.textContent = heading
  const place = document.createElement('span')
  place.textContent = heading === page ? '' : page
  const text = document.createElement('small')
  text.textContent = excerpt
  link.append(title, ' ', place, text)
  item.append(link)
  return item
}

/** Move the focus among the field and the links by the arrow keys. */
function moveFocus(event) {
  const stops = [field, ...results.querySelectorAll('a')]
  const at = stops.indexOf(document.activeElement)
  if (event.key === 'Escape') {
    hideResults('')
    field.focus()
  } else if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
    event.preventDefault()
    stops[(at + (event.key === 'ArrowDown' ? 1 : -1) + stops.length) % stops.length].focus()
  }
}

form.hidden = false
field.addEventListener('focus', () => void loadSearch().catch(() => {}))
field.addEventListener('input', () => void showResults())
form.addEventListener('keydown', moveFocus)
form.addEventListener('submit', (event) => {
  event.preventDefault()
  results.querySelector('a')?.click()
})
// A result on the same page changes only the fragment.
results.addEventListener('click', () => hideResults(''))
document.addEventListener('click', ({ target }) => {
  if (!form.contains(target)) results.hidden = true
})
document.addEventListener('keydown', (event) => {
  const isTyping = event.target instanceof HTMLInputElement
  if (event.key !== '/' || isTyping || event.ctrlKey || event.metaKey || event.altKey) return
  event.preventDefault()
  field.focus()
})

for (const block of document.querySelectorAll('pre')) {
  const button = document.createElement('button')
  button.type = 'button'
  button.textContent = 'Copy'
  button.addEventListener('click', async () => {
    button.textContent = await copyText(block.textContent)
    setTimeout(() => {
      button.textContent = 'Copy'
    }, 2_000)
  })
  const frame = document.createElement('div')
  frame.className = 'code'
  block.replaceWith(frame)
  frame.append(block, button)
}

/** Copy, and return what to tell the reader. There is no clipboard without HTTPS, and the browser may refuse. */
async function copyText(text) {
  try {
    await navigator.clipboard.writeText(text)
    return 'Copied'
  } catch {
    return 'Not copied: select the text'
  }
}
