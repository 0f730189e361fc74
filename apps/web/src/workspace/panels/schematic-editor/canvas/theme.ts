import type { Color, Ink } from '../drawing/shapes.ts'

export interface SheetTheme {
  readonly paper: string
  readonly around: string
  readonly grid: string
  readonly selection: string
  readonly net: string
  readonly pending: string
  readonly error: string
  readonly warning: string
  readonly inks: Readonly<Record<Ink, string>>
}

/** KiCad's own colors, so that a sheet looks as people know it. */
export const LIGHT: SheetTheme = {
  paper: '#f5f4ef',
  around: '#e4e2dc',
  grid: '#d8d6cd',
  selection: '#ff7a1a',
  net: '#e000c8',
  pending: '#0a66ff',
  error: '#c8161d',
  warning: '#8a5a00',
  inks: {
    body: '#840000',
    bodyFill: '#ffffc2',
    pin: '#840000',
    pinName: '#006464',
    pinNumber: '#a90000',
    reference: '#006464',
    value: '#006464',
    field: '#840084',
    wire: '#009600',
    bus: '#000084',
    junction: '#009600',
    noConnect: '#000084',
    label: '#0f0f0f',
    globalLabel: '#840000',
    portLabel: '#725600',
    sheet: '#840000',
    sheetFill: '#ffffff00',
    sheetName: '#006464',
    sheetFile: '#725600',
    sheetPin: '#006464',
    note: '#0000c2',
    directive: '#484848',
    frame: '#840000',
    unfitted: '#dc090d',
  },
}

export const DARK: SheetTheme = {
  paper: '#17181a',
  around: '#0f1011',
  grid: '#2b2d31',
  selection: '#ff9d52',
  net: '#ff6df0',
  pending: '#7db4ff',
  error: '#ff7b7b',
  warning: '#f5b83d',
  inks: {
    body: '#e08a6d',
    bodyFill: '#2a2620',
    pin: '#e08a6d',
    pinName: '#7fd1cf',
    pinNumber: '#ee9b8f',
    reference: '#7fd1cf',
    value: '#7fd1cf',
    field: '#d9a0e0',
    wire: '#5fd068',
    bus: '#8fa8ff',
    junction: '#5fd068',
    noConnect: '#8fa8ff',
    label: '#eceae4',
    globalLabel: '#ffa48a',
    portLabel: '#e2c15a',
    sheet: '#e08a6d',
    sheetFill: '#ffffff00',
    sheetName: '#7fd1cf',
    sheetFile: '#e2c15a',
    sheetPin: '#7fd1cf',
    note: '#9db8ff',
    directive: '#b5b3ad',
    frame: '#8a6a5c',
    unfitted: '#ff6b66',
  },
}

export function cssOf(theme: SheetTheme, color: Color): string {
  return typeof color === 'string' ? theme.inks[color] : color.css
}
