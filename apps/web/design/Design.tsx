import '@mantine/core/styles.css'
import '../src/app/global.css'
import '../src/app/parts.css'
import {
  Badge,
  Button,
  Checkbox,
  DirectionProvider,
  Group,
  Loader,
  MantineProvider,
  Menu,
  Modal,
  NumberInput,
  Paper,
  Popover,
  Radio,
  SegmentedControl,
  Select,
  Stack,
  Switch,
  Text,
  TextInput,
  Title,
  Tooltip,
  useDirection,
  useMantineColorScheme,
} from '@mantine/core'
import { meetingColours } from '@parley/contract'
import { type CSSProperties, type ReactNode, useState } from 'react'
import { createRoot } from 'react-dom/client'
import { cssVariablesResolver, theme } from '../src/app/theme.ts'
import { hueOf } from '../src/meetings/hue.ts'
import { Mark } from '../src/ui/Mark.tsx'
import { PersonPortrait } from '../src/ui/Portrait.tsx'
import { Section } from '../src/ui/Section.tsx'
import classes from './Design.module.css'

/** `/design` of `npm run dev`: all tokens and parts, in each scheme and direction. Not part of the build. */

const colours = [
  'ground',
  'surface',
  'line',
  'border',
  'edge',
  'track',
  'hover',
  'selected',
  'accent',
  'danger',
].concat(['good-surface', 'good-text', 'caution-surface', 'caution-text', 'danger-surface', 'danger-text'])
const sizes = ['4xl', '3xl', '2xl', 'xl', 'lg', 'md', 'sm', 'xs', '2xs']
const spaces = ['2xs', 'xs', 'sm', 'md', 'lg', 'xl', '2xl']
const weights = ['regular', 'medium', 'bold']
const radii = ['md', 'lg', 'pill', 'round']
const marks = ['1rem', '1.5rem', '2rem', '4rem']

const withVariable = (name: string, value: string | number) => ({ [name]: value }) as CSSProperties

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section>
      <Title order={2} mb="sm">
        {title}
      </Title>
      {children}
    </section>
  )
}

function Design() {
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  const { dir, setDirection } = useDirection()
  const [isOpen, setOpen] = useState(false)
  return (
    <main className={classes.page}>
      <Group justify="space-between">
        <Title order={1}>Design</Title>
        <Group>
          <SegmentedControl
            aria-label="Scheme"
            value={colorScheme}
            onChange={(value) => setColorScheme(value as 'light' | 'dark' | 'auto')}
            data={['light', 'dark', 'auto']}
          />
          <SegmentedControl
            aria-label="Direction"
            value={dir}
            onChange={(value) => setDirection(value as 'ltr' | 'rtl')}
            data={['ltr', 'rtl']}
          />
        </Group>
      </Group>
      <Part title="Mark">
        <Group align="flex-end">
          {marks.map((size) => (
            <div key={size} className={classes.mark} style={withVariable('--size', size)} />
          ))}
        </Group>
      </Part>
      <Part title="Colours">
        <div className={classes.grid}>
          {colours.map((name) => (
            <div key={name}>
              <div className={classes.swatch} style={{ background: `var(--parley-${name})` }} />
              <Text size="caption">{name}</Text>
            </div>
          ))}
        </div>
      </Part>
      <Part title="Event colours">
        <div className={classes.grid}>
          {meetingColours.map((colour) => (
            <div key={colour} className={classes.event} style={hueOf(colour)}>
              09:30 {colour}
            </div>
          ))}
        </div>
      </Part>
      <Part title="Type">
        <Stack gap="xs">
          {sizes.map((size) => (
            <Text key={size} fz={size}>
              {size} – Design review, Thu 26 Nov, 09:30 – 11:11 · Пётр, Ελένη, Łukasz, Nguyễn
            </Text>
          ))}
          {weights.map((weight) => (
            <Text key={weight} fw={`var(--mantine-font-weight-${weight})`}>
              {weight} – Weekly sales, 45 minutes
            </Text>
          ))}
          <Text lang="ar" dir="rtl">
            اجتماع مراجعة التصميم مع Alice، الخميس 26 نوفمبر، 09:30
          </Text>
          <Text lang="hi">डिज़ाइन समीक्षा Alice के साथ, गुरु 26 नवं, 09:30</Text>
        </Stack>
      </Part>
      <Part title="Space, radius, shadow">
        <Stack>
          <Group align="flex-end">
            {spaces.map((space) => (
              <div key={space}>
                <Paper
                  bg="var(--parley-accent)"
                  w={`var(--mantine-spacing-${space})`}
                  h={`var(--mantine-spacing-${space})`}
                />
                <Text size="caption">{space}</Text>
              </div>
            ))}
          </Group>
          <Group>
            {radii.map((radius) => (
              <Paper key={radius} radius={radius} p="md" withBorder>
                radius {radius}
              </Paper>
            ))}
            <Paper shadow="sm" p="md">
              raised (sm)
            </Paper>
            <Paper shadow="md" p="md">
              overlay (md)
            </Paper>
          </Group>
        </Stack>
      </Part>
      <Part title="Buttons, badges, marks, people">
        <Group>
          <Button>Schedule</Button>
          <Button variant="default">Copy invitation</Button>
          <Button variant="subtle">Not now</Button>
          <Button color="red">Cancel…</Button>
          <Button loading>Saving</Button>
          <Button size="xs" variant="default">
            Small
          </Button>
          <Badge>This browser</Badge>
          <Badge variant="light">Weekly</Badge>
          {(['neutral', 'good', 'caution', 'danger'] as const).map((tone) => (
            <Mark key={tone} tone={tone}>
              {tone}
            </Mark>
          ))}
          <PersonPortrait name="Alice Bauer" />
          <Loader />
        </Group>
      </Part>
      <Part title="Fields">
        <Section title="A card">
          <Group align="flex-start">
            <TextInput label="Topic" description="What the meeting is about" defaultValue="Design review" />
            <TextInput label="Email address" error="Enter an email address." defaultValue="bob@" />
            <NumberInput label="Minutes" defaultValue={45} />
            <Select label="Repeats" data={['Never', 'Weekly on Tuesday']} defaultValue="Never" />
            <Stack gap="xs">
              <Checkbox label="Ticked" defaultChecked />
              <Checkbox label="Not ticked" />
              <Radio label="Chosen" defaultChecked />
              <Radio label="Not chosen" />
              <Switch label="On" defaultChecked />
              <Switch label="Off" />
            </Stack>
          </Group>
        </Section>
      </Part>
      <Part title="Layers">
        <Group>
          <Button variant="default" onClick={() => setOpen(true)}>
            Dialog
          </Button>
          <Menu>
            <Menu.Target>
              <Button variant="default">Menu</Button>
            </Menu.Target>
            <Menu.Dropdown>
              <Menu.Label>Meeting</Menu.Label>
              <Menu.Item>Edit</Menu.Item>
              <Menu.Item>Duplicate</Menu.Item>
            </Menu.Dropdown>
          </Menu>
          <Popover>
            <Popover.Target>
              <Button variant="default">Popover</Button>
            </Popover.Target>
            <Popover.Dropdown>Thu 26 Nov, 09:30 – 10:15</Popover.Dropdown>
          </Popover>
          <Tooltip label="Hint">
            <Button variant="default">Hint</Button>
          </Tooltip>
          <details>
            <summary>Details</summary>
            What was folded
          </details>
        </Group>
        <Modal opened={isOpen} onClose={() => setOpen(false)} title="Cancel this date?">
          <Stack>
            <Text>Two people get an email.</Text>
            <Group justify="flex-end">
              <Button variant="default">Keep the meeting</Button>
              <Button color="red">Cancel this date</Button>
            </Group>
          </Stack>
        </Modal>
      </Part>
    </main>
  )
}

const root = document.querySelector('#root')
if (root === null) throw new Error('design.html has no #root')
createRoot(root).render(
  <DirectionProvider>
    <MantineProvider theme={theme} cssVariablesResolver={cssVariablesResolver} defaultColorScheme="auto">
      <Design />
    </MantineProvider>
  </DirectionProvider>,
)
