// The tags of the station Lift station 4 of the demo plant. Pure.
// biome-ignore-all format: one row for each tag

import { tagsOf } from '../tag.ts';

const station = 'Lift station 4';

/** The alarm that rings first. */
export const floodPath = 'Lift4/Pit/Level_HH';

export const liftStationTags = [
  ...tagsOf(station, 'Wet well', 'Pumps', [
    [floodPath, 'Wet well level very high', 2, '>2.5', '2.64 m', '1.20 m', 1.6, 22, 'Sewage runs into the street in 25 min.', 'Start the second pump by hand; if it does not run, order the tanker.'],
    ['Lift4/Pit/Level_H', 'Wet well level high', 3, '>2.0', '2.11 m', '1.20 m', 46, 8, 'The second pump starts.', 'Watch it; look for rags in pump 41.'],
    ['Lift4/Pit/Level_L', 'Wet well level low', 3, '<0.4', '0.36 m', '1.20 m', 5, 6, 'Pumps run dry.', 'Check the level probe.'],
    ['Lift4/Pit/Level_Fault', 'Level probe fault', 2, '1', '1', '0', 1.4, 30, 'Pumps run on floats alone.', 'Clean the probe, compare with the floats.'],
    ['Lift4/Pit/Gas', 'Gas in the wet well', 1, '>10', '14 % LEL', '0 % LEL', 0.6, 25, 'Explosion when somebody enters.', 'Nobody enters, switch on the fan.'],
    ['Lift4/Pit/H2S', 'Hydrogen sulphide high', 2, '>10', '13 ppm', '1 ppm', 1.8, 35, 'Poisonous from 100 ppm on.', 'Fan on, measure before you enter.'],
  ]),
  ...tagsOf(station, 'Lift pumps', 'Pumps', [
    ['Lift4/P-41/Current', 'Pump 41 motor current high', 2, '>58', '60 A', '44 A', 3, 14, 'The pump trips.', 'Run it backwards, then look for rags.'],
    ['Lift4/P-41/Vibration', 'Pump 41 vibration high', 2, '>7.1', '7.9 mm/s', '2.8 mm/s', 2, 30, 'The seal leaks soon.', 'Balance is ordered; run it only when needed.'],
    ['Lift4/P-41/Seal', 'Pump 41 seal chamber wet', 3, '1', '1', '0', 2.4, 90, 'Water reaches the motor.', 'Order a seal.'],
    ['Lift4/P-41/Starts', 'Pump 41 starts too often', 3, '>12', '15 /h', '6 /h', 7, 20, 'The contactor burns.', 'Check the non-return valve.'],
    ['Lift4/P-42/Current', 'Pump 42 motor current high', 2, '>58', '61 A', '45 A', 4.5, 16, 'The pump trips.', 'Run it backwards, then look for rags.'],
    ['Lift4/P-42/Trip', 'Pump 42 tripped', 1, '1', '1', '0', 1, 18, 'One pump is left in a storm.', 'Reset once; if it trips again, send the fitter.'],
    ['Lift4/P-42/Seal', 'Pump 42 seal chamber wet', 3, '1', '1', '0', 1.6, 90, 'Water reaches the motor.', 'Order a seal.'],
    ['Lift4/P-42/Starts', 'Pump 42 starts too often', 3, '>12', '14 /h', '6 /h', 5, 20, 'The contactor burns.', 'Check the non-return valve.'],
    ['Lift4/Valve/Travel', 'Discharge valve travel time exceeded', 3, '>40', '52 s', '21 s', 3, 12, 'Water hammer in the rising main.', 'Grease the spindle.'],
  ]),
  ...tagsOf(station, 'Lift power', 'Electrical', [
    ['Lift4/Mains/Loss', 'Lift station 4 mains lost', 1, '1', '1', '0', 0.7, 12, 'No pump runs; the wet well holds 40 min.', 'Send the mobile generator.'],
    ['Lift4/Mains/Phase', 'Phase imbalance', 2, '>5', '7 %', '1 %', 1.6, 10, 'Motors run hot.', 'Ask the grid operator.'],
    ['Lift4/UPS/Battery', 'Lift station 4 UPS on battery', 3, '1', '1', '0', 3, 14, 'The telemetry stops in 2 h.', 'Check the supply.'],
    ['Lift4/Panel/Door', 'Control panel door open', 4, '1', '1', '0', 4, 15, 'Rain reaches the panel.', 'Ask who is there.'],
  ]),
  ...tagsOf(station, 'Lift site', 'Site security', [
    ['Lift4/Hatch/Open', 'Hatch of the wet well open', 2, '1', '1', '0', 0.8, 18, 'Somebody may fall in.', 'Send somebody at once.'],
    ['Lift4/Fan/Fault', 'Fan fault', 3, '1', '1', '0', 2, 60, 'Gas collects in the wet well.', 'Change the belt.'],
    ['Lift4/Odour/Filter', 'Odour filter exhausted', 4, '1', '1', '0', 1.4, 400, 'Neighbours call.', 'Change the carbon.'],
    ['Lift4/Rain/Rate', 'Rain above 12 mm/h', 4, '>12', '16 mm/h', '0 mm/h', 4, 30, 'The wet well fills within the hour.', 'Watch the level.'],
    ['Lift4/Telemetry/Link', 'Telemetry link lost', 3, '1', '1', '0', 5, 7, 'The station is blind.', 'Switch to the second modem.'],
  ]),
];
