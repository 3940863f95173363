// The tags of the station North works of the demo plant. Pure.
// biome-ignore-all format: one row for each tag

import { tagsOf } from '../tag.ts';

const station = 'North works';

export const northWorksTags = [
  ...tagsOf(station, 'Chlorine', 'Process', [
    ['Chlorine/CL-201/Leak', 'Chlorine leak, dosing room 2', 1, '>2', '4.1 ppm', '0.0 ppm', 0.8, 20, 'Nobody may enter; the gas spreads to the filter hall.', 'Clear the building, start the scrubber, breathing gear only.'],
    ['Chlorine/CL-201/Pressure_L', 'Chlorine supply pressure low', 2, '<3', '2.6 bar', '5.2 bar', 1.6, 30, 'Water leaves the works without chlorine.', 'Change to the other drum.'],
    ['Chlorine/Residual_L', 'Residual chlorine low', 2, '<0.1', '0.08 mg/l', '0.31 mg/l', 3, 25, 'Water may not leave the works.', 'Raise the dose, measure by hand.'],
  ]),
  ...tagsOf(station, 'Ozone', 'Process', [
    ['Ozone/OZ-1/Door', 'Ozone room door open during run', 1, '1', '1', '0', 1.2, 190, 'Ozone reaches the corridor.', 'Close the door, stop the generator if nobody answers.'],
    ['Ozone/OZ-1/Dew_Point', 'Ozone feed gas dew point high', 3, '>-60', '-54 °C', '-71 °C', 2.4, 60, 'The tubes of the generator age.', 'Change over the drier.'],
    ['Ozone/OZ-1/Flow_L', 'Ozone cooling flow low', 2, '<8', '6.9 m³/h', '11.4 m³/h', 1.4, 15, 'The generator stops.', 'Check the strainer.'],
  ]),
  ...tagsOf(station, 'Filters', 'Process', [
    ['Filter/F1/Diff_Press', 'Filter 1 differential pressure high', 3, '>0.75', '0.79 bar', '0.31 bar', 11, 26, 'The filter breaks through.', 'Start a backwash.'],
    ['Filter/F2/Diff_Press', 'Filter 2 differential pressure high', 3, '>0.75', '0.81 bar', '0.28 bar', 7, 26, 'The filter breaks through.', 'Start a backwash.'],
    ['Filter/F3/Diff_Press', 'Filter 3 differential pressure high', 3, '>0.75', '0.84 bar', '0.35 bar', 38, 14, 'The filter breaks through.', 'Start a backwash; the sensor is due for a check.'],
    ['Filter/F3/Outlet_Turbidity', 'Filter 3 outlet turbidity high', 2, '>0.3', '0.36 NTU', '0.08 NTU', 2.6, 18, 'Turbid water reaches the tank.', 'Waste the first water, lower the rate.'],
    ['Filter/Backwash/Failed', 'Backwash sequence stopped', 3, '1', '1', '0', 3, 40, 'The next filters wait.', 'Acknowledge at the panel, start again.'],
  ]),
  ...tagsOf(station, 'Dosing', 'Process', [
    ['Polymer/Tank-1/Level_L', 'Polymer tank 1 level low', 3, '<20', '18 %', '63 %', 2, 320, 'Dosing stops tomorrow.', 'Prepare a new batch.'],
    ['Polymer/Pump-2/Stall', 'Polymer pump 2 stalled', 3, '1', '1', '0', 2.6, 24, 'The sludge does not thicken.', 'Rinse the line.'],
    ['Compressor/C-12/Oil_Temp', 'Compressor oil temperature', 4, '>68', '71 °C', '55 °C', 9, 18, 'The compressor stops at 80 °C.', 'Clean the cooler.'],
    ['UV/Bank-2/Lamp_Fail', 'UV bank 2, 3 lamps failed', 3, '>2', '3', '0', 4, 160, 'The dose falls below the limit with one more.', 'Change the lamps.'],
  ]),
  ...tagsOf(station, 'Power', 'Electrical', [
    ['Power/MV-2/Breaker_52', 'MV-2 feeder breaker tripped', 2, 'OPEN', 'OPEN', 'CLOSED', 1.2, 30, 'Half of the works is without power.', 'Read the relay, never close on a fault.'],
    ['Power/MV-1/Overload', 'MV-1 feeder overload', 2, '>95', '102 %', '61 %', 2.2, 14, 'The feeder trips.', 'Stop the second blower.'],
    ['Power/Transformer-1/Temp', 'Transformer 1 winding temperature', 1, '>120', '124 °C', '78 °C', 0.5, 35, 'The transformer trips at 130 °C.', 'Move load to transformer 2.'],
    ['Power/Battery/Charger', 'Battery charger fault', 3, '1', '1', '0', 1.4, 120, 'Protection has six hours of battery.', 'Change the fuse, call the maker.'],
  ]),
  ...tagsOf(station, 'Laboratory', 'Laboratory', [
    ['Lab/Turbidity/Cal', 'Turbidity meter calibration due', 4, '1', '1', '0', 1, 480, 'Readings count for nothing after a week.', 'Calibrate with 20 NTU.'],
    ['Lab/Sampler/Fault', 'Automatic sampler fault', 4, '1', '1', '0', 3, 90, 'Today has no composite sample.', 'Empty the bottles, start again.'],
    ['Lab/Fridge/Temp', 'Sample fridge too warm', 3, '>8', '9.2 °C', '4.0 °C', 2.8, 40, 'Samples of today are lost.', 'Close the door, move the samples.'],
    ['Lab/pH/Probe', 'pH probe slow', 4, '1', '1', '0', 4, 70, 'Dosing follows late.', 'Clean the probe.'],
  ]),
  ...tagsOf(station, 'Site', 'Site security', [
    ['Site/Gate/Open', 'Main gate open for 10 minutes', 4, '1', '1', '0', 5, 12, 'Anybody can drive in.', 'Close it from the gatehouse.'],
  ]),
];
